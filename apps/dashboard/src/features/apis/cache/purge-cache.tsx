import { Button, Stack, Text, TextInput } from '@mantine/core'
import { IconEraser } from '@tabler/icons-react'
import { useState } from 'react'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../../lib/calls/call.ts'
import { ActionDialog } from '../../../ui/dialog/action-dialog.tsx'
import { RadioChoice } from '../../../ui/form/radio-choice.tsx'

type Purge = CallInput<Routes['POST /api/apis/:id/purge-cache']>['body']
type PurgeKind = 'api' | 'path' | 'tag'

const kinds = [
  { value: 'api', label: 'All answers' },
  { value: 'path', label: 'One path' },
  { value: 'tag', label: 'One tag' },
] satisfies { value: PurgeKind; label: string }[]

const fields = {
  path: {
    label: 'Path',
    description:
      'Like /orders, behind the context and without the query. A * at its end stands for what follows.',
  },
  tag: {
    label: 'Tag',
    description: 'A word that the upstream names in Cache-Tag or Surrogate-Key of its answers.',
  },
}

/** A button that has every worker drop answers of this API, after the question which. */
export function PurgeCache({ apiId }: { apiId: number }) {
  const [isOpen, setIsOpen] = useState(false)
  const [kind, setKind] = useState<PurgeKind>('api')
  const [value, setValue] = useState('')
  const purge: Purge = kind === 'api' ? { kind } : { kind, value }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconEraser size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        Purge cache
      </Button>
      <ActionDialog
        row={isOpen ? purge : undefined}
        texts={{
          title: 'Purge the cache?',
          confirm: 'Purge',
          done: 'The answers were dropped in every worker.',
        }}
        renderConsequences={() => (
          <Stack gap="md">
            <Text size="sm">
              Every worker of every server drops these answers. The next requests go to the
              upstream.
            </Text>
            <RadioChoice
              label="Which answers"
              choices={kinds}
              value={kind}
              onChange={(next) => setKind(next as PurgeKind)}
            />
            {kind !== 'api' && (
              <TextInput
                {...fields[kind]}
                required
                value={value}
                onChange={({ currentTarget }) => setValue(currentTarget.value)}
              />
            )}
          </Stack>
        )}
        perform={(body) => call('POST /api/apis/:id/purge-cache', { params: { id: apiId }, body })}
        onClose={() => setIsOpen(false)}
      />
    </>
  )
}
