import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WorkflowRun } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { messageOf } from '../../lib/calls/call-error.ts'
import { Disclosure } from '../../ui/page/disclosure.tsx'
import { RetryNotice } from '../../ui/page/notice.tsx'
import { RunRow } from './run-row.tsx'
import classes from './workflow-page.module.css'

type By = 'reference' | 'key'

/** Finds runs of a workflow as a caller would: by reference, or by Idempotency-Key. */
export function FindRunPanel({ slug }: { slug: string }) {
  return (
    <Disclosure title="Find its runs" note="By reference or by Idempotency-Key.">
      <FindRun slug={slug} />
    </Disclosure>
  )
}

function FindRun({ slug }: { slug: string }) {
  const [by, setBy] = useState<By>('reference')
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState<{ by: By; text: string }>()
  const query = useQuery({
    queryKey: ['workflow-runs', slug, asked],
    queryFn: async ({ signal }) => {
      const query = asked?.by === 'key' ? { key: asked.text } : { reference: asked?.text ?? '' }
      return (await call('GET /api/workflows/:slug/runs', { params: { slug }, query, signal })).runs
    },
    enabled: asked !== undefined,
  })
  return (
    <Stack gap="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() !== '') setAsked({ by, text: typed.trim() })
        }}
      >
        <Group gap="sm" align="flex-end">
          <SegmentedControl
            size="sm"
            aria-label="Find by"
            data={[
              { value: 'reference', label: 'Reference' },
              { value: 'key', label: 'Key' },
            ]}
            value={by}
            onChange={(value) => setBy(value)}
          />
          <TextInput
            aria-label={by === 'key' ? 'Idempotency-Key' : 'Reference'}
            placeholder={by === 'key' ? 'Idempotency-Key' : 'Reference'}
            maxLength={200}
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            style={{ flex: '1 1 12rem' }}
          />
          <Button
            type="submit"
            variant="default"
            leftSection={<IconSearch size={16} aria-hidden />}
            loading={query.isFetching}
          >
            Find
          </Button>
        </Group>
      </form>
      {query.isError && (
        <RetryNotice
          title="The runs could not be looked for."
          reason={messageOf(query.error)}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isSuccess && <Found runs={query.data} />}
    </Stack>
  )
}

function Found({ runs }: { runs: readonly WorkflowRun[] }) {
  if (runs.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No run of this workflow has it.
      </Text>
    )
  }
  return (
    <ul className={classes['rows']} aria-label="Runs found">
      {runs.map((run) => (
        <RunRow key={run.id} run={run} message={run.message} />
      ))}
    </ul>
  )
}
