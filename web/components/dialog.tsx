// A dialog that is there as long as it is open. When it goes, the keyboard is back where it was opened from.
import { Modal, type ModalProps } from '@mantine/core'
import { useLayoutEffect } from 'react'

export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useFocusBack()
  return <Modal opened {...props} />
}

/** Mantine gives the focus back where a dialog is closed, but not where it is taken away. */
function useFocusBack(): void {
  useLayoutEffect(() => {
    const before = openerOf(document.activeElement)
    return () => before?.focus({ preventScroll: true })
  }, [])
}

/** A menu is gone by the time it is wanted: the button that opened it stands for it. */
function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = menu == null ? element : document.getElementById(menu)
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}
