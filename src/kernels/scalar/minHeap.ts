/** Binary heap of items 0 .. capacity - 1 by key, with decrease-key; of equal keys the lowest item comes first. */
export class MinHeap {
    size = 0;

    /**
     * @param _keys key of each item; while an item is in the heap its key may only fall, and `push` must hear of it
     * @param _items room for the items
     * @param places place of each item in the heap + 1; 0: not in it
     */
    constructor(
        private readonly _keys: Float32Array,
        private readonly _items: Uint32Array = new Uint32Array(_keys.length),
        readonly places: Uint32Array = new Uint32Array(_keys.length),
    ) {}

    /** Adds an item, or moves it up after its key has become smaller. */
    push(item: number): void {
        const items = this._items;
        const places = this.places;
        const keys = this._keys;
        let i = places[item] - 1;
        if (i < 0) i = this.size++;
        const key = keys[item];
        while (i > 0) {
            const parent = (i - 1) >> 1;
            const above = items[parent];
            if (keys[above] < key || (keys[above] === key && above < item)) break;
            items[i] = above;
            places[above] = i + 1;
            i = parent;
        }
        items[i] = item;
        places[item] = i + 1;
    }

    /** Takes out the first item. The heap must not be empty. */
    pop(): number {
        const items = this._items;
        const places = this.places;
        const keys = this._keys;
        const top = items[0];
        places[top] = 0;
        const last = items[--this.size];
        if (this.size === 0) return top;
        const key = keys[last];
        let i = 0;
        for (;;) {
            let child = 2 * i + 1;
            if (child >= this.size) break;
            let below = items[child];
            if (child + 1 < this.size) {
                const right = items[child + 1];
                if (keys[right] < keys[below] || (keys[right] === keys[below] && right < below)) {
                    child++;
                    below = right;
                }
            }
            if (key < keys[below] || (key === keys[below] && last < below)) break;
            items[i] = below;
            places[below] = i + 1;
            i = child;
        }
        items[i] = last;
        places[last] = i + 1;
        return top;
    }
}
