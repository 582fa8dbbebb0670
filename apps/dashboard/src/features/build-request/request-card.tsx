import { Input, Paper, PasswordInput, Stack, Text } from '@mantine/core'
import type { EndpointOption } from '@gatehouse/contract'
import { useId, type ReactNode, type RefCallback } from 'react'
import { JsonPane } from '../../ui/json-pane.tsx'
import classes from './build-request.module.css'
import { EndpointSelect } from './endpoint-select.tsx'
import type { JsonTextProblem } from './json-problem.ts'

interface RequestCardProps {
  attachForm: RefCallback<HTMLFormElement>
  /** The label of the select, which names the card. */
  title: string
  choices: readonly EndpointOption[]
  endpoint: string | null
  onEndpoint: (id: string | null) => void
  token: string
  onToken: (token: string) => void
  body: string
  onBody: (body: string) => void
  bodyHint: string
  /** Why what is typed is not JSON. */
  bodyProblem: JsonTextProblem | undefined
  /** First messages of a 422, by field. */
  errors: { endpoint?: string | undefined; token?: string | undefined; body?: string | undefined }
  /** Enter in a field; absent where a slip of the hand must not send anything. */
  onSubmit?: () => void
  /** The button, and what became of it. */
  children: ReactNode
}

/** One end of a build request: endpoint, Token and Body (spec §2). */
export function RequestCard({ attachForm, ...props }: RequestCardProps) {
  const { title, errors, body } = props
  const hintId = useId()
  return (
    <Paper
      component="form"
      ref={attachForm}
      className={classes['card'] ?? ''}
      aria-label={title}
      noValidate
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit?.()
      }}
    >
      <Stack gap="md">
        <EndpointSelect
          label={title}
          choices={props.choices}
          value={props.endpoint}
          onChange={props.onEndpoint}
          error={errors.endpoint}
        />
        <PasswordInput
          label="Token"
          description="Sent as Bearer token. Blank: the one stored with the API, if there is one."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={props.token}
          onChange={(event) => props.onToken(event.currentTarget.value)}
          error={errors.token}
          autoComplete="off"
          data-1p-ignore
          spellCheck={false}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the token', tabIndex: 0 }}
        />
        <div>
          <JsonPane
            label="Body"
            title={<Input.Label labelElement="div">Body</Input.Label>}
            value={body}
            onChange={props.onBody}
            problem={errors.body === undefined ? props.bodyProblem : { message: errors.body }}
            describedBy={hintId}
            minHeight={84}
            maxHeight="40vh"
          />
          <Text size="xs" c="dimmed" id={hintId}>
            {props.bodyHint}
          </Text>
        </div>
        {props.children}
      </Stack>
    </Paper>
  )
}
