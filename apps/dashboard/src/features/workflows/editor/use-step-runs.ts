import { useCallback, useState } from 'react'
import { call } from '../../../lib/calls/call.ts'
import { useMutation } from '../../../lib/calls/use-mutation.ts'
import type { WorkflowFormValues } from '../workflow-form-values.ts'
import { askedBy, type StepAnswers } from './step-answers.ts'
import { sampleOf } from './use-workflow-preview.ts'

export interface StepRuns {
  answers: StepAnswers
  /** Runs the step at this position on the sample. */
  run: (position: number) => void
  /** The step that is under way, counted from 1. */
  running: number | undefined
  /** Why the last one was refused, and which one that was. */
  failure: { position: number; error: Error } | undefined
}

/** What steps answer when they are run on the sample. */
export function useStepRuns(values: WorkflowFormValues): StepRuns {
  const [answers, setAnswers] = useState<StepAnswers>(new Map())
  const running = useMutation({
    mutationFn: async ({ position, values, answers }: Asked) => {
      const body = { ...sampleOf(values, answers), position }
      return call('POST /api/workflows/run-step', { body })
    },
    onSuccess: (answer, { position, values }) => {
      const step = values.steps[position - 1]
      if (!step) return
      const asked = askedBy(step, values.sample_input)
      setAnswers((known) =>
        new Map(known).set(step.key, { ...answer, asked, endpoint: step.endpoint_id }),
      )
    },
  })
  const { mutate, variables, isPending, error } = running
  const run = useCallback(
    (position: number) => mutate({ position, values, answers }),
    [mutate, values, answers],
  )
  return {
    answers,
    run,
    running: isPending ? variables.position : undefined,
    failure: error && variables ? { position: variables.position, error } : undefined,
  }
}

interface Asked {
  position: number
  values: WorkflowFormValues
  answers: StepAnswers
}
