/**
 * `unreadable`: it is no such file. `locked`: the passphrase does not open it. `unsupported`: it is encrypted in
 * a way that is not read here. `work`: opening it would take longer than `work-bound.ts` allows. `empty`: there is
 * no key with its certificate in it.
 */
export type KeyFileFault = 'unreadable' | 'locked' | 'unsupported' | 'work' | 'empty'

/** Why a file with a private key can't be used. */
export class KeyFileProblem extends Error {
  override name = 'KeyFileProblem'
  readonly fault: KeyFileFault

  constructor(fault: KeyFileFault, cause?: unknown) {
    super(`the key file can not be used: ${fault}`, { cause })
    this.fault = fault
  }
}
