import { Input, Text } from '@mantine/core'
import { useId } from 'react'
import { JsonPane, type JsonPaneProblem, type JsonPaneProps } from '../json/json-pane.tsx'

interface BodyFieldProps extends Pick<JsonPaneProps, 'assist' | 'editorRef' | 'actions'> {
  label?: string
  value: string
  onChange: (body: string) => void
  hint: string
  /** Why what is typed is not JSON, or what the server says of it. */
  problem: JsonPaneProblem | undefined
  placeholder?: string
  /** A plain text area instead of the editor. */
  isPlain?: boolean
}

/** The body of a request as JSON text. */
export function BodyField({ label = 'Body', hint, ...pane }: BodyFieldProps) {
  const hintId = useId()
  return (
    <div>
      <JsonPane
        {...pane}
        label={label}
        title={<Input.Label labelElement="div">{label}</Input.Label>}
        describedBy={hintId}
        minHeight={84}
        maxHeight="40vh"
      />
      <Text size="xs" c="dimmed" id={hintId}>
        {hint}
      </Text>
    </div>
  )
}
