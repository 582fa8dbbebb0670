import { AppError } from '../app-error.ts'

/** The 429 for codes of the second factor during a pause. */
export const codesPaused = (waitMs: number): AppError =>
  new AppError('session.codes_paused', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
