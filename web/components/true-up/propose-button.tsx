// The button that proposes the due corrections of a list: while a part of the list is still computed it proposes nothing, and
// says so.
import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'

interface ProposeButtonProps extends Pick<ButtonProps, 'size' | 'variant' | 'leftSection'> {
  readonly words: string
  /** Words for screen readers that the visible ones leave out. */
  readonly unseen?: ReactNode
  /** Number of agreements of the list that are still computed. */
  readonly updating: number
  readonly open: () => void
}

export function ProposeButton({ words, unseen, updating, open, ...look }: ProposeButtonProps) {
  const isWhole = updating === 0
  return (
    <Button {...look} disabled={!isWhole} onClick={open}>
      {isWhole ? words : `${words} once the list is complete`}
      {unseen}
    </Button>
  )
}
