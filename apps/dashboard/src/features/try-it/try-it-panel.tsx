import { Alert, Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { EndpointRecord } from '@gatehouse/contract'
import {
  useDraftedEndpoint,
  type DraftedEndpoint,
  type EndpointDraft,
} from '../../entities/endpoint/endpoint-draft.ts'
import { CallError, messageOf } from '../../lib/call-error.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { JsonPane } from '../../ui/json-pane.tsx'
import { GrantOffer } from '../../entities/access/grant-offer.tsx'
import { refusedTokenOf } from '../../entities/access/refused-token.ts'
import { CurlButton } from './curl-button.tsx'
import { LastTriesList } from './last-tries-list.tsx'
import { TriedClient } from './tried-client.tsx'
import { TryItResult } from './try-it-result.tsx'
import { isOfDefinition, known, namesIn, useTrial } from './use-trial.ts'

interface TryItPanelProps {
  /** Absent: it is new. */
  endpoint?: EndpointRecord
  draft: EndpointDraft
}

/**
 * Sends a request through the gateway as a client would, and shows what each stage made of it. If the form
 * holds changes, they are tried without being saved.
 */
export function TryItPanel({ endpoint, draft }: TryItPanelProps) {
  const drafted = useDraftedEndpoint(draft)
  const label = labelOf(drafted)
  const isSaved = endpoint !== undefined && !drafted?.isUnsaved
  return (
    <Disclosure
      title="Try it"
      anchor="try-it"
      note={
        isSaved
          ? `Through the gateway, as it is saved: ${label}`
          : `Through the gateway, as it is in this form and not yet saved: ${label}`
      }
    >
      <Trial endpoint={endpoint} drafted={drafted} label={label} isSaved={isSaved} />
    </Disclosure>
  )
}

const labelOf = (drafted: DraftedEndpoint | undefined) =>
  drafted ? `${drafted.method.toUpperCase()} /${drafted.context ?? '…'}${drafted.path}` : ''

interface TrialProps {
  endpoint: EndpointRecord | undefined
  drafted: DraftedEndpoint | undefined
  label: string
  isSaved: boolean
}

function Trial({ endpoint, drafted, label, isSaved }: TrialProps) {
  const { form, tries, trial } = useTrial(endpoint?.id, drafted)
  const names = namesIn(drafted?.path ?? '')
  const hasBody = drafted?.method !== 'get'
  const bodyProblem = form.errors['body']
  return (
    <Stack gap="md">
      {drafted?.isWebSocket && (
        <Alert color="blue" title="This is a WebSocket endpoint">
          Try it sends a plain GET and opens no WebSocket: the gateway treats it as any other
          request, and the upstream may refuse it. Use a WebSocket client for the rest.
        </Alert>
      )}
      {names.length > 0 && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {names.map((name) => (
            <TextInput
              key={name}
              label={`{${name}}`}
              {...form.getInputProps(`params.${name}`)}
              value={form.values.params[name] ?? ''}
            />
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
      {hasBody && (
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
        {hasBody && (
          <Text size="sm" c="dimmed">
            This is a real request: what it changes upstream stays changed.
          </Text>
        )}
      </Group>
      {trial.isError && (
        <Alert color="red" title="Nothing was sent" role="alert">
          {isOfDefinition(trial.error)
            ? 'The endpoint could not be saved like this: see the messages in its form.'
            : messageOf(trial.error)}{' '}
          {textOf(form.errors['params'])}
          {endpoint && trial.error instanceof CallError && trial.error.code === 'access.denied' && (
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
      {trial.isSuccess &&
        refusedTokenOf(trial.data) !== undefined &&
        (endpoint && (isSaved || !drafted?.isMoved) ? (
          <GrantOffer
            key={trial.data.request_id}
            endpoint={{ id: endpoint.id, label }}
            tokenId={refusedTokenOf(trial.data)}
          />
        ) : (
          <Text size="sm">
            No role has access before it is saved: only the token of a Super Admin is let in. Save
            it, then grant access.
          </Text>
        ))}
    </Stack>
  )
}

const textOf = (error: unknown) => (typeof error === 'string' ? error : undefined)
