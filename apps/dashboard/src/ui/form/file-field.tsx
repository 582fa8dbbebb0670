import { Button, FileButton, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useRef, useState, type DragEvent } from 'react'
import { formatBytes } from '../../lib/format/format-bytes.ts'
import classes from './file-field.module.css'

interface FileFieldProps {
  /** What is taken. */
  hint: string
  /** For the file dialog of the browser: `.csv,.json`. */
  accept: string
  file: File | undefined
  problem: string | undefined
  isDisabled: boolean
  onChoose: (file: File) => void
}

/** A file is chosen by a button, or dropped. */
export function FileField(props: FileFieldProps) {
  const { hint, accept, file, problem, isDisabled, onChoose } = props
  const [isOver, setIsOver] = useState(false)
  const reset = useRef<() => void>(null)

  function handleDrag(event: DragEvent) {
    if (isDisabled || !event.dataTransfer.types.includes('Files')) return
    // Otherwise the browser opens the file.
    event.preventDefault()
    setIsOver(event.type !== 'dragleave')
  }

  function handleDrop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    const [dropped] = event.dataTransfer.files
    if (dropped && !isDisabled) onChoose(dropped)
  }

  function handleChoose(chosen: File | null) {
    if (chosen) onChoose(chosen)
    // The same file can be chosen again, once it was corrected.
    reset.current?.()
  }
  return (
    <div
      className={classes['drop']}
      data-over={isOver || undefined}
      data-testid="drop"
      onDragEnter={handleDrag}
      onDragOver={handleDrag}
      onDragLeave={handleDrag}
      onDrop={handleDrop}
    >
      <div className={classes['file']} aria-live="polite">
        {file ? (
          <>
            <Text fw={600}>{file.name}</Text>
            <Text size="sm" c="dimmed">
              {formatBytes(file.size, 'decimal')}
            </Text>
          </>
        ) : (
          <>
            <Text fw={600}>Drop a file here, or choose one</Text>
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          </>
        )}
      </div>
      <FileButton
        accept={accept}
        disabled={isDisabled}
        resetRef={reset}
        onChange={handleChoose}
        inputProps={{ 'aria-label': 'File' }}
      >
        {(props) => (
          <Button
            {...props}
            disabled={isDisabled}
            variant={file ? 'default' : 'filled'}
            leftSection={<IconFileUpload size={16} aria-hidden />}
          >
            {file ? 'Choose another file' : 'Choose file'}
          </Button>
        )}
      </FileButton>
      {problem !== undefined && (
        <Text
          size="sm"
          c="var(--mantine-color-error)"
          role="alert"
          className={classes['problem'] ?? ''}
        >
          {problem}
        </Text>
      )}
    </div>
  )
}
