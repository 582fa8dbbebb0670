import { answerTree } from '@gatehouse/contract/answer-tree'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useSampleAnswers, type Sample } from '../../../entities/placeholder/sample-answers.ts'
import { givenBy, type StepAnswers } from './step-answers.ts'
import type { StepDraft } from '../workflow-step-draft.ts'

export interface WorkflowSamples {
  /** The sample input, and answers of the steps before this one. */
  samples: readonly Sample[]
  onWant: () => void
}

/** What each step can take values from. Answers are fetched once a body or a person asks for them. */
export function useWorkflowSamples(
  steps: readonly StepDraft[],
  sampleInput: string,
  given: StepAnswers,
): (at: number) => WorkflowSamples {
  const [isAsked, setIsAsked] = useState(false)
  const isWanted = isAsked || steps.some(({ body }) => takesAnswer(body))
  const answers = useSampleAnswers(
    steps.map(({ endpoint_id }) => endpoint_id),
    isWanted,
  )
  const text = useDeferredValue(sampleInput)
  const input = useMemo<Sample>(
    () => ({
      step: 0,
      label: 'Input',
      data: text.trim() === '' ? undefined : answerTree(text),
      origin: 'The sample input.',
    }),
    [text],
  )
  const before = useMemo(() => {
    const known = answers.map((answer, at) => withGiven(answer, steps[at], given))
    return known.map((_, at) => [input, ...known.slice(0, at)])
  }, [input, answers, steps, given])
  const onWant = useCallback(() => setIsAsked(true), [])
  return (at) => ({ samples: before[at] ?? [], onWant })
}

/** What a step has just answered on the sample is newer than anything else. */
function withGiven(sample: Sample, step: StepDraft | undefined, given: StepAnswers): Sample {
  const answer = step && givenBy(step, given)
  if (!answer) return sample
  const origin = `Answer of run ${answer.run}`
  return { ...sample, data: answerTree(answer.text), origin, isPasted: false }
}

const takesAnswer = ({ kind, text, rows }: StepDraft['body']) =>
  kind === 'template'
    ? text.includes('{{steps')
    : kind === 'mapping' && rows.some(({ source }) => source?.startsWith('steps'))
