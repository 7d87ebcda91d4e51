// What a person cannot read on this page: text under 11 px, text too near its background in colour, text past the edge.
(() => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  const rgb = (text) => {
    const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number);
    return { channels: [red, green, blue], alpha };
  };
  const luminance = ({ channels }) => {
    const [r, g, b] = channels.map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour.alpha === 1) return colour;
    }
    return rgb("rgb(255, 255, 255)");
  };
  const scrolls = (element) => {
    for (let at = element; at; at = at.parentElement) {
      if (at !== document.body && ["auto", "scroll", "hidden"].includes(getComputedStyle(at).overflowX)) return true;
    }
    return false;
  };
  const found = { texts: 0, small: [], pale: [], outside: [] };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const box = range.getBoundingClientRect();
    if (!text || element.tagName === "title" || !box.width || !box.height) continue;
    const style = getComputedStyle(element);
    const inSvg = element.namespaceURI.endsWith("svg");
    const [light, dark] = [rgb(inSvg ? style.fill : style.color), background(element)].map(luminance).sort((a, b) => b - a);
    found.texts += 1;
    if (parseFloat(style.fontSize) < 11) found.small.push(`${style.fontSize}: ${text}`);
    if ((light + 0.05) / (dark + 0.05) < 4.5) found.pale.push(`${((light + 0.05) / (dark + 0.05)).toFixed(2)}: ${text}`);
    if (!scrolls(element) && (box.right > innerWidth + 1 || box.left < -1)) found.outside.push(text);
  }
  found.width = document.documentElement.scrollWidth;
  found.window = innerWidth;
  return found;
})()
