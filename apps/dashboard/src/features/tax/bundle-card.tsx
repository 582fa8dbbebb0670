import { Paper, Stack, Title } from '@mantine/core'
import { useDeferredValue, useId, useMemo, type ReactNode } from 'react'
import { bodyHint, takesText } from '../../entities/endpoint/endpoint-words.ts'
import { jsonProblemOf } from '../../lib/json-problem.ts'
import { PlaceholderBodyField } from '../../entities/placeholder/placeholder-body-field.tsx'
import { useChoice } from '../../entities/endpoint/choice-source.tsx'
import { EndpointSelect } from '../../entities/endpoint/endpoint-select.tsx'
import type { BundleStep } from './bundle-form.ts'
import type { StepSamples } from './use-step-samples.ts'
import classes from './tax.module.css'

interface BundleCardProps {
  position: number
  step: BundleStep
  taking: StepSamples
  onChange: (changes: Partial<BundleStep>) => void
  errors: { endpoint: string | undefined; body: string | undefined }
  /** Between the select and the body. */
  token?: ReactNode
  /** Shown while the body is blank; the body is then a plain text area (spec: credit-request). */
  placeholder?: string | undefined
  /** Beneath the body. */
  children?: ReactNode
}

/** One endpoint of a bundle (spec: screens): select, Token and Body. */
export function BundleCard(card: BundleCardProps) {
  const { position, step, onChange, errors, ...props } = card
  const titleId = useId()
  const choice = useChoice(step.endpoint)
  // A megabyte takes a moment to check: typing does not wait for it.
  const body = useDeferredValue(step.body)
  const isText = takesText(choice)
  const jsonProblem = useMemo(() => jsonProblemOf(body), [body])
  const problem = isText ? undefined : jsonProblem
  return (
    <Paper component="section" className={classes['card'] ?? ''} aria-labelledby={titleId}>
      <Stack gap="md">
        <Title order={3} id={titleId}>
          Endpoint {position}
        </Title>
        <EndpointSelect
          label="API"
          value={step.endpoint}
          onChange={(endpoint) => onChange({ endpoint })}
          error={errors.endpoint}
        />
        {props.token}
        <PlaceholderBodyField
          position={position}
          {...props.taking}
          isText={isText}
          value={step.body}
          onChange={(body) => onChange({ body })}
          hint={hintOf(position, bodyHint(choice, 'May stay blank.'), isText)}
          problem={errors.body === undefined ? problem : { message: errors.body }}
          {...(props.placeholder === undefined
            ? {}
            : { placeholder: props.placeholder, isPlain: true })}
        />
        {props.children}
      </Stack>
    </Paper>
  )
}

function hintOf(position: number, hint: string, isText: boolean): string {
  if (position === 1) return hint
  const placeholder = '{{steps.1.body.id}}'
  return `${hint} ${isText ? placeholder : `"${placeholder}"`} takes a value from the answer of step 1.`
}
