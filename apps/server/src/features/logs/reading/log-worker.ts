import { answerQuestions } from '../../../kernel/threads/answer-questions.ts'
import { PageAnswers, type LogAnswer, type LogQuery } from './answer-page.ts'
import { LogFileGone } from './open-log-file.ts'

// The thread that reads logs: however large or hostile a file is, the server's own thread goes on.

const answers = new PageAnswers()

/** Undefined where the file is gone. */
answerQuestions(async (query: LogQuery): Promise<LogAnswer | undefined> => {
  try {
    return await answers.answer(query)
  } catch (error) {
    if (error instanceof LogFileGone) return undefined
    throw error
  }
})
