import { Button, Text } from '@mantine/core'
import type { KeptText } from '@gatehouse/contract'
import { useMemo, useState } from 'react'
import { prettyJson } from '../../lib/format/pretty-json.ts'
import { JsonPane } from '../../ui/json/json-pane.tsx'
import { formatBytes } from '../../lib/format/format-bytes.ts'

/** Larger ones are shown when asked for. */
const shownAtOnceLength = 65_536

interface KeptBodyProps {
  /** Names the pane for assistive technology. */
  label: string
  kept: KeptText
}

/** A body exactly as it went over the wire, or pretty-printed where it is JSON. */
export function KeptBody({ label, kept }: KeptBodyProps) {
  const [isShown, setIsShown] = useState(kept.text.length <= shownAtOnceLength)
  const [isRaw, setIsRaw] = useState(false)
  const { text, bytes, is_whole } = kept
  const pretty = useMemo(
    () => (isShown && is_whole ? prettyJson(text) : text),
    [isShown, is_whole, text],
  )
  if (bytes === 0) {
    return (
      <Text size="sm" c="dimmed">
        Empty body
      </Text>
    )
  }
  if (!isShown) {
    return (
      <Button variant="default" size="compact-sm" onClick={() => setIsShown(true)}>
        Show the body ({formatBytes(bytes, 'binary')})
      </Button>
    )
  }
  return (
    <JsonPane
      label={label}
      title={<Size kept={kept} />}
      value={isRaw ? text : pretty}
      minHeight={40}
      maxHeight="40vh"
      actions={
        pretty !== text && (
          <Button variant="default" size="compact-xs" onClick={() => setIsRaw(!isRaw)}>
            {isRaw ? 'Pretty' : 'Raw'}
          </Button>
        )
      }
    />
  )
}

function Size({ kept: { bytes, text, is_whole } }: { kept: KeptText }) {
  const sizeWords = `${bytes.toLocaleString()} bytes`
  return (
    <Text size="xs" c="dimmed">
      {is_whole
        ? sizeWords
        : `The first ${text.length.toLocaleString()} characters of ${sizeWords}`}
    </Text>
  )
}
