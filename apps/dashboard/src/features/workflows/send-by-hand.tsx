import { Alert, Button, Group, List, Stack, Switch, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { paths } from '../../entities/paths.ts'
import { RunLink } from '../../entities/run/run-link.tsx'
import { call } from '../../lib/calls/call.ts'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { firstMessages } from '../../lib/forms/field-errors.ts'
import { jsonProblemOf } from '../../lib/format/json-problem.ts'
import { newUuid } from '../../lib/calls/new-uuid.ts'
import { notifySuccess } from '../../lib/page/notify.tsx'
import { useNavigateIfHere } from '../../lib/page/screen-address.ts'
import { useCan } from '../../lib/session/session.tsx'
import { useMutation } from '../../lib/calls/use-mutation.ts'
import { BodyField } from '../../ui/form/body-field.tsx'
import { Disclosure } from '../../ui/page/disclosure.tsx'
import type { Workflow } from './read-workflow.ts'

/** Starts one run of the workflow with a typed input. */
export function SendByHand({ workflow }: { workflow: Workflow }) {
  return (
    <Disclosure title="Send by hand" note="One run with an input that you type.">
      <SendForm workflow={workflow} />
    </Disclosure>
  )
}

interface Sent {
  input: string
  isTest: boolean
  key: string
}

function SendForm({ workflow }: { workflow: Workflow }) {
  const can = useCan()
  const navigate = useNavigateIfHere()
  const [input, setInput] = useState(workflow.sampleText)
  const [isTest, setIsTest] = useState(false)
  // The same for every try of the same input, so that no try starts a second run.
  const [key, setKey] = useState(newUuid)
  const start = useMutation({
    mutationFn: ({ input, isTest, key }: Sent) =>
      call('POST /api/workflows/:slug/runs', {
        params: { slug: workflow.slug },
        query: { test: isTest ? 1 : 0 },
        body: undefined,
        bodyText: input,
        headers: { 'Idempotency-Key': key },
      }),
    onSuccess: ({ run }) => {
      notifySuccess(`Run ${run.id} was taken.`)
      setKey(newUuid())
      if (can('run.view')) navigate(paths.run(run.id))
    },
  })
  const checked = useDeferredValue(input)
  const problem = useMemo(() => jsonProblemOf(checked), [checked])
  const isBlank = input.trim() === ''

  function change(next: string) {
    setInput(next)
    setKey(newUuid())
    start.reset()
  }
  return (
    <Stack gap="sm">
      <BodyField
        label="Input"
        hint="JSON, sent as it is typed."
        value={input}
        onChange={change}
        problem={problem}
      />
      <Switch
        label="Test invoice"
        checked={isTest}
        onChange={(event) => {
          setIsTest(event.currentTarget.checked)
          setKey(newUuid())
        }}
      />
      <Group gap="sm">
        <Button
          data-send
          leftSection={<IconSend size={16} aria-hidden />}
          loading={start.isPending}
          disabled={isBlank || problem !== undefined || workflow.status === 'paused'}
          onClick={() => start.mutate({ input, isTest, key })}
        >
          Send
        </Button>
        {start.isSuccess && (
          <Text size="sm">
            Taken as <RunLink id={start.data.run.id} />.
          </Text>
        )}
      </Group>
      {start.isError && <Refused error={start.error} />}
    </Stack>
  )
}

function Refused({ error }: { error: unknown }) {
  const fields = error instanceof CallError ? Object.entries(firstMessages(error.errors)) : []
  return (
    <Alert color="red" role="alert" title={messageOf(error)}>
      {fields.length > 0 && (
        <List size="sm" listStyleType="none">
          {fields.map(([place, message]) => (
            <List.Item key={place} style={{ overflowWrap: 'anywhere' }}>
              {place !== '' && (
                <>
                  <code>{place}</code>:{' '}
                </>
              )}
              {message}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  )
}
