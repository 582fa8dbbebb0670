import { answerQuestions } from '../../kernel/threads/answer-questions.ts'
import { mapBody, type MappingQuestion } from './map-body.ts'

// The thread that maps large data: megabytes of JSON take seconds.

answerQuestions((question: MappingQuestion) => mapBody(question))
