import { fieldError } from '../app-error.ts'
import type { GuessQuestion } from './guess-worker.ts'
import { WorkerLink } from '../threads/worker-link.ts'

/** A password that needs fewer guesses than this is on the lists that attackers try first. */
const guessesMin = 100_000

// The lists are 2 MB: read when a password is first set, not at every start. A caller that asks for many
// estimates at once waits for each, and is refused when the queue is full.
const estimator = new WorkerLink<GuessQuestion, number>(
  new URL('guess-worker.ts', import.meta.url),
  { name: 'password-strength', timeoutMs: 30_000, isComputing: true, queueMax: 32 },
)

/**
 * Refuses a new password that is common, a pattern, or made of what is known of the user. Throws a
 * 422 on `password`, and a 429 while many others wait. Runs in another thread.
 */
export async function refuseGuessablePassword(
  password: string,
  person: { name: string; email: string; username: string },
): Promise<void> {
  const own = [person.name, person.email, person.username, ...person.email.split(/[@.]/)]
  const known = own.filter((text) => text !== '')
  const guesses = await estimator.ask({ password, known })
  if (guesses < guessesMin) {
    throw fieldError({ password: ['This password is too easy to guess. Choose another.'] })
  }
}
