// A table that may be wider than the screen: only the table scrolls sideways, with the keyboard too, not the page.
import { type ReactNode, useEffect, useRef, useState } from 'react'

export function ScrollX({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isWider, setWider] = useState(false)
  useEffect(() => {
    const box = place.current
    if (box === null) return
    const look = () => setWider(box.scrollWidth > box.clientWidth)
    look()
    const watch = new ResizeObserver(look)
    watch.observe(box)
    for (const child of box.children) watch.observe(child)
    void document.fonts.ready.then(look)
    return () => watch.disconnect()
  }, [])
  // Only a table that can scroll is focusable and a landmark.
  return (
    <div
      ref={place}
      className="scroll-x"
      {...(isWider ? { tabIndex: 0, role: 'region', 'aria-label': `${label}, scrolls sideways` } : {})}
    >
      {children}
    </div>
  )
}
