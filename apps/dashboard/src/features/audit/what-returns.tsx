import { Text } from '@mantine/core'
import type { AuditEvent } from '@gatehouse/contract'
import { wordsOfThing } from './audit-words.ts'

/** What the restore of an old version does, before it is done. */
export function WhatReturns({ event }: { event: AuditEvent }) {
  return (
    <Text size="sm">
      {wordsOfThing(event.thing)} <b>{event.thing_name}</b> returns to the version that this event
      saved. Later changes are replaced; stored passwords and tokens stay as they are. The audit
      trail records the restore as an event, so you can undo it in the same way.
    </Text>
  )
}
