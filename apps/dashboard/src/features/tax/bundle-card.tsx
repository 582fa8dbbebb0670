import { Paper, Stack, Title } from '@mantine/core'
import { memo, useCallback, useDeferredValue, useId, useMemo, type ReactNode } from 'react'
import { bodyHint, takesText } from '../../entities/endpoint/endpoint-words.ts'
import { jsonProblemOf } from '../../lib/format/json-problem.ts'
import { PlaceholderBodyField } from '../../entities/placeholder/placeholder-body-field.tsx'
import { useChoice } from '../../entities/endpoint/choice-source.tsx'
import { EndpointSelect } from '../../entities/endpoint/endpoint-select.tsx'
import type { BundleStep } from './bundle-form.ts'
import type { KeptBundle } from './use-bundle-form.ts'
import type { StepSamples } from './use-step-samples.ts'
import classes from './tax.module.css'

interface BundleCardProps {
  position: number
  step: BundleStep
  taking: StepSamples | undefined
  editStep: KeptBundle['editStep']
  errors: Readonly<Record<string, string>>
  clearError: (field: string) => void
  /** Between the select and the body. */
  token?: ReactNode
  /** Shown while the body is blank; the body is then a plain text area (spec: credit-request). */
  placeholder?: string | undefined
  /** Beneath the body. */
  children?: ReactNode
}

/**
 * One endpoint of a bundle (spec: screens): select, Token and Body. It is drawn again only where something of
 * it has changed: typing into one does not draw the others.
 */
export const BundleCard = memo(function BundleCard(card: BundleCardProps) {
  const { position, step, taking = noSamples, errors, ...props } = card
  const titleId = useId()
  const choice = useChoice(step.endpoint)
  // A megabyte takes a moment to check: typing does not wait for it.
  const body = useDeferredValue(step.body)
  const isText = takesText(choice)
  const jsonProblem = useMemo(() => jsonProblemOf(body), [body])
  const problem = isText ? undefined : jsonProblem
  const fields = fieldsOf(position)
  const bodyError = errors[fields.body]
  const { endpoint } = step
  const { editStep, clearError } = props
  const edit = useCallback(
    (changes: Partial<BundleStep>, field: string) => {
      editStep(position, changes)
      clearError(field)
    },
    [position, editStep, clearError],
  )
  const endpointError = errors[fields.endpoint]
  // The body changes with each key.
  const select = useMemo(
    () => (
      <EndpointSelect
        label="API"
        value={endpoint}
        onChange={(chosen) => edit({ endpoint: chosen }, fields.endpoint)}
        error={endpointError}
      />
    ),
    [endpoint, edit, fields.endpoint, endpointError],
  )
  return (
    <Paper component="section" className={classes['card'] ?? ''} aria-labelledby={titleId}>
      <Stack gap="md">
        <Title order={3} id={titleId}>
          Endpoint {position}
        </Title>
        {select}
        {props.token}
        <PlaceholderBodyField
          position={position}
          {...taking}
          isText={isText}
          value={step.body}
          onChange={(body) => edit({ body }, fields.body)}
          hint={hintOf(position, bodyHint(choice, 'May stay blank.'), isText)}
          problem={bodyError === undefined ? problem : { message: bodyError }}
          {...(props.placeholder === undefined
            ? {}
            : { placeholder: props.placeholder, isPlain: true })}
        />
        {props.children}
      </Stack>
    </Paper>
  )
})

const noSamples: StepSamples = { samples: [], onWant: () => undefined }

const fieldsOf = (position: number) => ({
  endpoint: `endpoint_${position}.end_point`,
  body: `endpoint_${position}.body`,
})

function hintOf(position: number, hint: string, isText: boolean): string {
  if (position === 1) return hint
  const placeholder = '{{steps.1.body.id}}'
  return `${hint} ${isText ? placeholder : `"${placeholder}"`} takes a value from the answer of step 1.`
}
