import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { LogEntry } from '@gatehouse/contract'
import { indentJson } from '../../lib/format/indent-json.ts'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { entryAddress, requestAddress } from './log-params.ts'
import classes from './log-table.module.css'
import { LongText } from './long-text.tsx'

interface LogDetailProps {
  file: string
  entry: LogEntry
  /** The JSON at the end of its text; blank where there is none. */
  json: string
}

/** All that is kept of an entry. Whatever it holds, it is text: nothing of it becomes part of the page. */
export function LogDetail({ file, entry, json }: LogDetailProps) {
  const { text, stack, request_id, is_truncated } = entry
  const message = text.slice(0, text.length - json.length).trimEnd()
  const shown = [message, json && indentJson(json)].filter(Boolean).join('\n')
  return (
    <div className={classes['detail']}>
      <LongText label="The whole entry" text={shown} />
      {is_truncated && (
        <Text size="xs" c="dimmed">
          truncated, download the file
        </Text>
      )}
      <Group gap="0.25rem 0.75rem" fz="xs" mt={4}>
        <CopyButton
          text={stack === '' ? shown : `${shown}\n${stack}`}
          label="Copy"
          description={`the entry of ${entry.date || 'this line'}`}
        />
        <span>{entry.date}</span>
        <Anchor component={Link} to={entryAddress(file, entry.id)} inherit>
          Link to this entry
        </Anchor>
        {request_id !== '' && (
          <span className={classes['request']}>
            Request{' '}
            <Anchor component={Link} to={requestAddress(file, entry)} inherit>
              {request_id}
            </Anchor>
          </span>
        )}
      </Group>
    </div>
  )
}
