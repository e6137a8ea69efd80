/**
 * Solves six equations, in place: the largest of a column first, since what turns easily is not symmetric with what is heavy.
 * @param rows six of six numbers and what they are to give, shape [6, 7]
 * @param x what they are solved for, shape [6]
 */
export function solveSixBySix(rows: Float64Array, x: Float64Array): void {
    for (let k = 0; k < 6; k++) {
        let best = k;
        for (let i = k + 1; i < 6; i++) if (Math.abs(rows[7 * i + k]) > Math.abs(rows[7 * best + k])) best = i;
        for (let l = k; l < 7; l++) {
            const swapped = rows[7 * k + l];
            rows[7 * k + l] = rows[7 * best + l];
            rows[7 * best + l] = swapped;
        }
        for (let i = k + 1; i < 6; i++) {
            const share = rows[7 * i + k] / rows[7 * k + k];
            for (let l = k; l < 7; l++) rows[7 * i + l] -= share * rows[7 * k + l];
        }
    }
    for (let k = 5; k >= 0; k--) {
        let sum = rows[7 * k + 6];
        for (let l = k + 1; l < 6; l++) sum -= rows[7 * k + l] * x[l];
        x[k] = sum / rows[7 * k + k];
    }
}
