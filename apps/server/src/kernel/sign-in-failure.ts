import type { SignInProblem } from '@gatehouse/upstream'
import { AppError } from './app-error.ts'

interface More {
  problem?: SignInProblem
  isRefused?: boolean
  retryAfterSeconds?: number
}

/** A sign-in that gave no token: `upstream.sign_in`, with what was missing. */
export class SignInFailure extends AppError {
  /** Undefined while a back-off lasts: nothing was tried. */
  readonly problem: SignInProblem | undefined
  /** What was shown is not accepted: it passes with other credentials only. */
  readonly isRefused: boolean

  constructor(message: string, { problem, isRefused, retryAfterSeconds }: More = {}) {
    super('upstream.sign_in', {
      ...(message === '' ? {} : { message }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      cause: problem?.detail,
    })
    this.problem = problem
    this.isRefused = isRefused ?? problem?.kind === 'refused'
  }
}
