import { KeyFileProblem } from './key-file-problem.ts'

/** How much of each alone opens a file at most. Each takes about a second of a slow processor. */
export const workMax = {
  /** OpenSSL and Windows write 2,000, Java 10,000; OWASP asks for 600,000 where passwords are stored. */
  pbkdf2Rounds: 600_000,
  /** PKCS#12's own (RFC 7292 appendix B). Java wrote 50,000 until 2020. */
  pkcs12Rounds: 100_000,
  /** 128 · N · r · p, of which OpenSSL writes 16 MiB. */
  scryptBytes: 64 * 1024 * 1024,
} as const

/**
 * The work that one file may ask for, whatever it takes to open its parts: they add up. A file says itself how much
 * work that is (RFC 8018 §4.2), so that without a bound a small one takes a processor for hours.
 */
export class WorkBound {
  #left = 1

  /** Throws before the work that is too much. */
  spend(kind: keyof typeof workMax, amount: number): void {
    this.#left -= amount / workMax[kind]
    if (!(this.#left >= 0)) throw new KeyFileProblem('work')
  }
}
