// A dialog that is mounted only while it is open. When it is removed, the focus returns to where it was opened from.
import { Modal, type ModalProps } from '@mantine/core'
import { useLayoutEffect } from 'react'

export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useFocusBack()
  return <Modal opened {...props} />
}

/** Mantine returns the focus when a dialog is closed, but not when it is unmounted. */
function useFocusBack(): void {
  useLayoutEffect(() => {
    const before = openerOf(document.activeElement)
    return () => before?.focus({ preventScroll: true })
  }, [])
}

/** A menu is gone by the time the focus returns, so the button that opened the menu gets it. */
function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = menu == null ? element : document.getElementById(menu)
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}
