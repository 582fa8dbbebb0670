import { Button } from '@mantine/core'

interface ShowAllProps {
  count: number
  shown: number
  /** In the plural. */
  noun: string
  onShow: () => void
}

/** Shows what a short list leaves out; nothing where it leaves out nothing. */
export function ShowAll({ count, shown, noun, onShow }: ShowAllProps) {
  if (shown >= count) return null
  return (
    <Button variant="subtle" size="compact-sm" mt="xs" onClick={onShow}>
      Show all {count.toLocaleString('en')} {noun}
    </Button>
  )
}
