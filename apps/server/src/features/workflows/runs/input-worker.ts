import { answerQuestions } from '../../../kernel/threads/answer-questions.ts'
import { readInput } from './run-input.ts'

// The thread that reads large inputs: they are parsed exactly and written again in the order of keys.

answerQuestions(readInput)
