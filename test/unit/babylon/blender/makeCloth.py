"""Makes cloth.glb as the recipe "Cloth from Blender" says: blender -b -P makeCloth.py (Blender 3.4 or later)."""

import bpy
import json
import os


def add_grid(name, x, cloth):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=8, y_subdivisions=8, size=1, location=(x, 0, 1), rotation=(1.5707963, 0, 0))
    grid = bpy.context.object
    grid.name = grid.data.name = name
    grid["cloth"] = cloth
    return grid.data


def set_values(mesh, name, value_of):
    attribute = mesh.attributes.new(name, "FLOAT", "POINT")
    for vertex in mesh.vertices:
        attribute.data[vertex.index].value = value_of(vertex.co)


for thing in list(bpy.data.objects):
    bpy.data.objects.remove(thing)

bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 1.55), scale=(1.2, 0.05, 0.05))
bpy.context.object.name = "Pole"

# Held by an attribute, on a node that carries it, and kept near its place by another attribute.
hung = add_grid("Hung", 0, json.dumps({"fabric": "silk", "target": "Pole", "colliders": ["Pole"]}))
set_values(hung, "_CLOTH_PIN", lambda at: 1.0 if at.y > 0.49 else 0.0)
set_values(hung, "_CLOTH_DISTANCE", lambda at: 0.5 - at.y)

# Held where it is painted red.
painted = add_grid("Painted", 2, json.dumps({"fabric": "denim", "pins": {"color": "r"}}))
colors = painted.color_attributes.new("Pins", "BYTE_COLOR", "POINT")
for vertex in painted.vertices:
    colors.data[vertex.index].color = (1, 0, 0, 1) if vertex.co.y > 0.49 else (0, 0.15, 0.5, 1)

bpy.ops.export_scene.gltf(
    filepath=os.path.join(os.path.dirname(os.path.abspath(__file__)), "cloth.glb"),
    export_format="GLB",
    export_extras=True,
    export_attributes=True,
    export_materials="NONE",
)
