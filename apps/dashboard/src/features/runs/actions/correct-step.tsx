import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useDeferredValue, useMemo } from 'react'
import { jsonProblemOf } from '../../../lib/format/json-problem.ts'
import { BodyField } from '../../../ui/form/body-field.tsx'
import { MethodBadge } from '../../../entities/endpoint/method-badge.tsx'
import type { CorrectableStep, Correction } from './correction.ts'

interface CorrectStepProps {
  step: CorrectableStep
  correction: Correction
  onChange: (correction: Correction) => void
  /** First messages of a 422. */
  errors: Readonly<Record<string, string>>
}

/** The old body of one step, to be corrected. */
export function CorrectStep({ step, correction, onChange, errors }: CorrectStepProps) {
  const name = `endpoint_${step.position}`
  const body = useDeferredValue(correction.body)
  // What was no JSON when it was sent goes to an endpoint that takes text.
  const wasJson = useMemo(() => jsonProblemOf(step.oldBody) === undefined, [step.oldBody])
  const jsonProblem = useMemo(() => jsonProblemOf(body), [body])
  const problem = wasJson ? jsonProblem : undefined
  const error = errors[`${name}.body`]
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text component="h3" m={0} size="sm" fw={600}>
          Step {step.position}
        </Text>
        <MethodBadge method={step.method.toLowerCase()} />
        <Text size="sm">{step.endpointName}</Text>
      </Group>
      {step.isEditable ? (
        <BodyField
          label={`Body of step ${step.position}`}
          value={correction.body}
          onChange={(body) => onChange({ ...correction, body })}
          hint="As it was typed for the old run."
          problem={error === undefined ? problem : { message: error }}
        />
      ) : (
        <Text size="sm" c="dimmed">
          Its body is too long to be edited here: it goes out as it was.
        </Text>
      )}
      {step.oldDependency !== null && step.oldDependency !== '' && (
        <TextInput
          label="Dependency field"
          value={correction.dependency}
          onChange={(event) => onChange({ ...correction, dependency: event.currentTarget.value })}
          error={errors[`${name}.dependency_field`]}
          spellCheck={false}
        />
      )}
    </Stack>
  )
}
