import { stringifyExact } from '@gatehouse/contract/mapping'
import { answerQuestions } from '../../../../kernel/threads/answer-questions.ts'
import { digestOf } from '../../answers/answer-digest.ts'
import { contentHashOf } from './content-hash.ts'
import { planBodies } from './plan-body.ts'
import { resolveStep } from '../resolve-step.ts'
import { shownJsonOf, type ShownJson } from '../../answers/shown-json.ts'
import type { BodyQuestion } from './body-threads.ts'

// The thread that reads large bodies and answers: each is read exactly, several times over.

answerQuestions((question: BodyQuestion) => {
  if (question.work === 'plan') return planBodies(question.typed, question.inputText)
  if (question.work === 'resolve') return resolveStep(question.step)
  if (question.work === 'digest') return digestOf(question.body, question.paths)
  if (question.work === 'show') return writtenJson(question.text)
  return contentHashOf(question.content)
})

function writtenJson(text: string): ShownJson<string> {
  const shown = shownJsonOf(text)
  return shown.ok ? { ok: true, value: stringifyExact(shown.value) } : shown
}
