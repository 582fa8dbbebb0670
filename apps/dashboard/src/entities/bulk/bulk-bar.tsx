import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCan } from '../../lib/session.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import { verbsFor, type BulkKind, type BulkVerb } from './bulk-words.ts'

interface BulkBarProps {
  kind: BulkKind
  rows: readonly { id: number; name: string }[]
}

/** What can be done to the selected rows. */
export function BulkBar({ kind, rows }: BulkBarProps) {
  const can = useCan()
  const [asked, setAsked] = useState<BulkVerb>()
  return (
    <>
      {verbsFor(kind, can).map(({ verb, label }) => (
        <Button
          key={verb}
          size="compact-sm"
          variant={verb === 'delete' ? 'subtle' : 'default'}
          {...(verb === 'delete' ? { color: 'red' } : {})}
          onClick={() => setAsked(verb)}
        >
          {label}
        </Button>
      ))}
      {asked && (
        <BulkDialog kind={kind} verb={asked} rows={rows} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}
