// The Assize logo: a weight standing on its point.

export function Mark({ size = 20 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d="M10 1.5 18.5 10 10 18.5 1.5 10Z" fill="none" stroke="currentColor" strokeWidth="1.7" />
      <path d="M6.5 10h7M10 6.5v7" stroke="currentColor" strokeWidth="1.7" />
    </svg>
  )
}
