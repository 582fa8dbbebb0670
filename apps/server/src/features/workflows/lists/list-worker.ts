import { answerQuestions } from '../../../kernel/threads/answer-questions.ts'
import { readList } from './read-list.ts'

// The thread that reads large lists.

answerQuestions(readList)
