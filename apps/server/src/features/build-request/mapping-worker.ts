import { answerQuestions } from '../../kernel/answer-questions.ts'
import { mapBody } from './map-body.ts'

// The thread that maps large data: megabytes of JSON take seconds.

export interface MappingQuestion {
  first: string
  typed: string
}

answerQuestions(({ first, typed }: MappingQuestion) => mapBody(first, typed))
