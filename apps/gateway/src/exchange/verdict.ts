/**
 * What a stage says: go on with the next one; stop, because it has answered or will; or wait, because it
 * will call `exchange.resume()`, and wants to be run again then.
 */
export type Verdict = 'next' | 'stop' | 'wait'
