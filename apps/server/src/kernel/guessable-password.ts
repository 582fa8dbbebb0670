import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { fieldError } from './app-error.ts'

/** A password that falls within this many guesses stands on the lists that attackers try first. */
const guessesMin = 100_000

let loading: Promise<ZxcvbnFactory> | undefined

/** The lists are 2 MB: read when somebody first sets a password, not at every start. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new Factory({ graphs: adjacencyGraphs, dictionary })
}

/**
 * Refuses a new password that is common, a pattern, or made of what is known of the person. Throws a
 * 422 on `password`.
 */
export async function refuseGuessablePassword(
  password: string,
  person: { name: string; email: string; username: string },
): Promise<void> {
  const estimator = await (loading ??= loadEstimator())
  const own = [person.name, person.email, person.username, ...person.email.split(/[@.]/)]
  const { guesses } = estimator.check(
    password,
    own.filter((text) => text !== ''),
  )
  if (guesses < guessesMin) {
    throw fieldError({ password: ['This password is too easy to guess. Choose another.'] })
  }
}
