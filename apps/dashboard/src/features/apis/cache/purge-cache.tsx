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
      'What follows the context, without the query, such as /orders. A * at the end stands for any text.',
  },
  tag: {
    label: 'Tag',
    description: 'A word in the header Cache-Tag or Surrogate-Key of the upstream’s answers.',
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
          done: 'This server has dropped the answers. Other servers follow.',
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
