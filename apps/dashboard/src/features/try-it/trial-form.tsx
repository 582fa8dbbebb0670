import { Alert, Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { GrantOffer } from '../../entities/access/grant-offer.tsx'
import { refusedTokenOf } from '../../entities/access/refused-token.ts'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { JsonPane } from '../../ui/json/json-pane.tsx'
import { CurlButton } from './curl-button.tsx'
import { LastTriesList } from './last-tries-list.tsx'
import { nobody, TriedClient } from './tried-client.tsx'
import { TryItResult } from './try-it-result.tsx'
import { isOfDefinition, known, namesIn, useTrial, type TrialSubject } from './use-trial.ts'

interface TrialFormProps {
  subject: TrialSubject
  /** In place of messages that are under fields of what is not saved. */
  unsavedText: string
  /** A user without access to it may give it to a role; undefined: there is nothing to give yet. */
  grantTo: { id: number; label: string } | undefined
  /** Said where a token without access is refused, while no role can be given that; undefined: one can. */
  noAccessText?: string | undefined
  /** Before the fields. */
  children?: ReactNode
}

/** The request that is tried, and what became of it. */
export function TrialForm(props: TrialFormProps) {
  const { subject, unsavedText, grantTo, noAccessText, children } = props
  const { form, tries, trial } = useTrial(subject)
  const names = namesIn(subject.path)
  const { hasBody } = subject
  const bodyProblem = form.errors['body']
  return (
    <Stack gap="md">
      {children}
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
        {...form.values}
        onChange={(client) => form.setValues({ ...nobody, ...client })}
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
          {isOfDefinition(trial.error) ? unsavedText : messageOf(trial.error)}{' '}
          {textOf(form.errors['params'])}
          {textOf(form.errors['endpoint_id'])}
          {grantTo && trial.error instanceof CallError && trial.error.code === 'access.denied' && (
            <GrantOffer endpoint={grantTo} onGranted={() => trial.reset()} />
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
        (grantTo && noAccessText === undefined ? (
          <GrantOffer
            key={trial.data.request_id}
            endpoint={grantTo}
            tokenId={refusedTokenOf(trial.data)}
          />
        ) : (
          <Text size="sm">{noAccessText}</Text>
        ))}
    </Stack>
  )
}

const textOf = (error: unknown) => (typeof error === 'string' ? error : undefined)
