import { answerQuestions } from '../../../kernel/answer-questions.ts'
import { contentHashOf } from './content-hash.ts'
import { planBodies } from './plan-body.ts'
import { resolveStep } from './resolve-step.ts'
import type { BodyQuestion } from './body-threads.ts'

// The thread that reads large bodies and answers: each is read exactly, several times over.

answerQuestions((question: BodyQuestion) => {
  if (question.work === 'plan') return planBodies(question.typed, question.inputText)
  if (question.work === 'resolve') return resolveStep(question.step)
  return contentHashOf(question.content)
})
