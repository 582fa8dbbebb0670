/**
 * What a stage says: go on with the next one, or stop, because it has answered or will (then it goes
 * on by `resume`).
 */
export type Verdict = 'next' | 'stop'
