import { answerQuestions } from '../../../kernel/threads/answer-questions.ts'
import { readRequests, type RequestQuestion } from './read-requests.ts'

// The thread that reads access logs: however large they are, the server's own thread goes on.
answerQuestions((question: RequestQuestion) => readRequests(question))
