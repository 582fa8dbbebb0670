import { Alert, Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { EndpointRecord } from '@gatehouse/contract'
import { call } from '../../lib/call.ts'
import { CallError, messageOf } from '../../lib/call-error.ts'
import { useUser } from '../../lib/session.tsx'
import { firstMessages } from '../../lib/field-errors.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { JsonPane } from '../../ui/json-pane.tsx'
import { GrantOffer } from '../../entities/access/grant-offer.tsx'
import { refusedTokenOf } from '../../entities/access/refused-token.ts'
import { CurlButton } from './curl-button.tsx'
import { LastTriesList } from './last-tries-list.tsx'
import { keepTry, lastTriesOf } from './last-tries.ts'
import { TriedClient } from './tried-client.tsx'
import { TryItResult } from './try-it-result.tsx'

/** Sends a request through the gateway as a client would, and shows what each stage made of it. */
export function TryItPanel({ endpoint }: { endpoint: EndpointRecord }) {
  const { method_type, api, path } = endpoint
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const user = useUser()
  const [tries, setTries] = useState(() => lastTriesOf(user.id, endpoint.id))
  const form = useForm({
    mode: 'controlled',
    initialValues: {
      params: Object.fromEntries(names.map((name) => [name, ''])),
      query: '',
      headers: '',
      body: '',
      token: '',
      as_token: null as number | null,
    },
  })
  const trial = useMutation({
    mutationFn: (body: typeof form.values) => {
      form.clearErrors()
      return call('POST /api/endpoint/:id/try', { params: { id: endpoint.id }, body })
    },
    onSuccess: ({ answer: { status } }, values) => {
      const at = new Date().toISOString()
      keepTry(user.id, { endpointId: endpoint.id, at, status, values })
      setTries(lastTriesOf(user.id, endpoint.id))
    },
    onError: (error) => {
      if (error instanceof CallError && error.status === 422)
        form.setErrors(firstMessages(error.errors))
    },
  })
  const label = `${method_type.toUpperCase()} /${api.context}${path}`
  const bodyProblem = form.errors['body']
  return (
    <Disclosure
      title="Try it"
      anchor="try-it"
      note={`Through the gateway, as it is saved: ${label}`}
    >
      <Stack gap="md">
        {names.length > 0 && (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {names.map((name) => (
              <TextInput key={name} label={`{${name}}`} {...form.getInputProps(`params.${name}`)} />
            ))}
          </SimpleGrid>
        )}
        <TextInput label="Query" placeholder="page=1&sort=name" {...form.getInputProps('query')} />
        <TriedClient
          token={form.values.token}
          asToken={form.values.as_token}
          onChange={(token, as_token) => form.setValues({ token, as_token })}
          error={textOf(form.errors['token'])}
        />
        <Textarea
          label="Headers"
          description="One “Name: value” a line."
          rows={2}
          spellCheck={false}
          {...form.getInputProps('headers')}
        />
        {method_type !== 'get' && (
          <JsonPane
            title="Body"
            label="Body"
            value={form.values.body}
            onChange={(body) => form.setFieldValue('body', body)}
            problem={bodyProblem ? { message: textOf(bodyProblem) ?? '' } : undefined}
          />
        )}
        <LastTriesList
          tries={tries}
          onTake={({ params, ...values }) =>
            form.setValues({
              ...values,
              params: { ...form.values.params, ...known(params, names) },
            })
          }
        />
        <Group gap="sm">
          <Button
            data-send
            variant="default"
            leftSection={<IconPlayerPlay size={16} />}
            loading={trial.isPending}
            onClick={() => trial.mutate(form.values)}
          >
            Send through the gateway
          </Button>
          {method_type !== 'get' && (
            <Text size="sm" c="dimmed">
              This is a real request: what it changes upstream stays changed.
            </Text>
          )}
        </Group>
        {trial.isError && (
          <Alert color="red" title="Nothing was sent" role="alert">
            {messageOf(trial.error)} {textOf(form.errors['params'])}
            {trial.error instanceof CallError && trial.error.code === 'access.denied' && (
              <GrantOffer endpoint={{ id: endpoint.id, label }} onGranted={() => trial.reset()} />
            )}
          </Alert>
        )}
        {trial.isSuccess && (
          <TryItResult
            result={trial.data}
            actions={<CurlButton request={trial.data.request} values={trial.variables} />}
          />
        )}
        {trial.isSuccess && refusedTokenOf(trial.data) !== undefined && (
          <GrantOffer
            key={trial.data.request_id}
            endpoint={{ id: endpoint.id, label }}
            tokenId={refusedTokenOf(trial.data)}
          />
        )}
      </Stack>
    </Disclosure>
  )
}

/** The path may have had other parameters when it was tried. */
const known = (params: Record<string, string>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)))

const textOf = (error: unknown) => (typeof error === 'string' ? error : undefined)
