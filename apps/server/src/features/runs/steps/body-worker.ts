import { answerQuestions } from '../../../kernel/answer-questions.ts'
import { planBody, type TypedBody } from './plan-body.ts'

// The thread that plans large bodies: each is read exactly, several times over.

answerQuestions((typed: TypedBody) => planBody(typed))
