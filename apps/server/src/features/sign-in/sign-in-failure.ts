import type { SignInProblem } from '@gatehouse/upstream'
import { AppError } from '../../kernel/app-error.ts'

/** A sign-in that gave no token: `upstream.sign_in`, with what was missing. */
export class SignInFailure extends AppError {
  /** Undefined while a back-off lasts: nothing was tried. */
  readonly problem: SignInProblem | undefined

  constructor(message: string, problem?: SignInProblem, retryAfterSeconds?: number) {
    super('upstream.sign_in', {
      ...(message === '' ? {} : { message }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      cause: problem?.detail,
    })
    this.problem = problem
  }
}
