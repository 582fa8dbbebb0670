import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { answerQuestions } from '../threads/answer-questions.ts'

// The thread that estimates passwords: 128 characters can take it a second.

export interface GuessQuestion {
  password: string
  /** What is known of the user, which an attacker tries first. */
  known: string[]
}

const estimator = new ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary })

answerQuestions(({ password, known }: GuessQuestion) => estimator.check(password, known).guesses)
