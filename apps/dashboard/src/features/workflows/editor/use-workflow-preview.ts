import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { WorkflowPreview, WorkflowPreviewStep } from '@gatehouse/contract'
import { CallError, messageOf } from '../../../lib/calls/call-error.ts'
import { firstMessages } from '../../../lib/forms/field-errors.ts'
import { slugOf, toWorkflowBody, type WorkflowFormValues } from '../workflow-form-values.ts'
import { workflowQueries, type WorkflowSample } from '../workflow-queries.ts'
import { givenBy, type StepAnswers } from './step-answers.ts'

const typingPauseMs = 500

export interface LivePreview {
  /** Of the definition as it was last understood. */
  preview: WorkflowPreview | undefined
  isFetching: boolean
  /** Why there is none: messages by field of the form, and one for the rest. */
  fieldProblems: Record<string, string>
  failure: string | undefined
}

/** What each step would send for the sample, a moment after the typing pauses. */
export function useWorkflowPreview(values: WorkflowFormValues, given: StepAnswers): LivePreview {
  const [settled] = useDebouncedValue(values, typingPauseMs)
  const sample = useMemo(() => sampleOf(settled, given), [settled, given])
  const { steps } = sample.definition
  const query = useQuery({
    ...workflowQueries.preview(sample),
    placeholderData: keepPreviousData,
    enabled: steps.length > 0,
  })
  const { error } = query
  return {
    preview: query.isError || steps.length === 0 ? undefined : query.data,
    isFetching: query.isFetching,
    fieldProblems: error instanceof CallError ? ownFields(firstMessages(error.errors)) : {},
    failure: error === null ? undefined : messageOf(error),
  }
}

/** What the server is asked about: the steps that have an endpoint, the sample, and what steps have answered. */
export function sampleOf(values: WorkflowFormValues, given: StepAnswers): WorkflowSample {
  const steps = startedSteps(values)
  return {
    definition: toPreviewBody(values, steps),
    input: values.sample_input.trim() === '' ? '{}' : values.sample_input,
    answers: steps.flatMap((step, at) => {
      const answer = givenBy(step, given)
      return answer ? [{ position: at + 1, status: answer.status, body: answer.text }] : []
    }),
  }
}

/** The steps up to the first one that has no endpoint yet. */
function startedSteps({ steps }: WorkflowFormValues) {
  const end = steps.findIndex(({ endpoint_id }) => endpoint_id === null)
  return end === -1 ? steps : steps.slice(0, end)
}

/** What has no effect on the steps may still be blank, and does not hold back their result. */
function toPreviewBody(values: WorkflowFormValues, steps: WorkflowFormValues['steps']) {
  const slug = /^[a-z0-9-]{1,60}$/.test(values.slug) ? values.slug : slugOf(values.name)
  return toWorkflowBody({
    ...values,
    name: values.name.trim() || 'Workflow',
    slug: slug || 'workflow',
    steps,
  })
}

const ownFields = (errors: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [
      field === 'input' ? 'sample_input' : field.replace(/^definition\./, ''),
      message,
    ]),
  )

/** The result of a step; undefined until the server has understood the definition. */
export const resultOf = (live: LivePreview, position: number): WorkflowPreviewStep | undefined =>
  live.preview?.steps.find((step) => step.position === position)
