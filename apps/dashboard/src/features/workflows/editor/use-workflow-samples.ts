import { answerTree } from '@gatehouse/contract/answer-tree'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useSampleAnswers, type Sample } from '../../../entities/placeholder/sample-answers.ts'
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
  const before = useMemo(
    () => answers.map((_, at) => [input, ...answers.slice(0, at)]),
    [input, answers],
  )
  const onWant = useCallback(() => setIsAsked(true), [])
  return (at) => ({ samples: before[at] ?? [], onWant })
}

const takesAnswer = ({ kind, text, rows }: StepDraft['body']) =>
  kind === 'template'
    ? text.includes('{{steps')
    : kind === 'mapping' && rows.some(({ source }) => source?.startsWith('steps'))
