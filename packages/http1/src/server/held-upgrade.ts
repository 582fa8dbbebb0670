import type { SwitchedTaker } from '../switched-connection.ts'

/** What came behind a request to switch to another protocol: kept until it is known who takes it. */
export class HeldUpgrade {
  /** Of the other protocol; null: nobody yet. */
  taker: SwitchedTaker | null = null
  #held: Buffer[] = []
  /** Of what is kept. */
  bytes = 0

  take(bytes: Buffer, isLent: boolean): void {
    if (this.taker !== null) return this.taker.handleBytes(bytes, isLent)
    this.#held.push(isLent ? Buffer.from(bytes) : bytes)
    this.bytes += bytes.length
  }

  giveTo(taker: SwitchedTaker): void {
    this.taker = taker
    for (const bytes of this.#held.splice(0)) taker.handleBytes(bytes, false)
  }

  /** There will be no switch. */
  drop(): void {
    this.#held = []
    this.bytes = 0
  }
}
