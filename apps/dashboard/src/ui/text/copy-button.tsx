import { Button } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { copyText } from '../../lib/browser/copy-text.ts'
import { notifyError } from '../../lib/page/notify.tsx'

interface CopyButtonProps {
  text: string
  label: string
  /** What is copied, for screen readers. */
  description: string
}

const shownMs = 2000

export function CopyButton({ text, label, description }: CopyButtonProps) {
  const [hasCopied, setHasCopied] = useState(false)
  const timer = useTimeout(() => setHasCopied(false), shownMs)

  async function handleCopy() {
    if (!(await copyText(text))) return notifyError('The browser did not allow copying.')
    setHasCopied(true)
    return timer.start()
  }
  const CopyIcon = hasCopied ? IconCheck : IconCopy
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<CopyIcon size={14} />}
      onClick={() => void handleCopy()}
      aria-label={`${hasCopied ? 'Copied' : label}: ${description}`}
    >
      {hasCopied ? 'Copied' : label}
    </Button>
  )
}
