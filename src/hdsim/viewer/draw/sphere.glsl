// How a sphere is drawn: the same text for windows (OpenGL 3.3) and pages (WebGL 2), and for both stages. Lengths are box lengths
// in eye coordinates, see space_view.py; the picture shows the plane z = 0 at `scale` pixels per length.
// FRAGMENT is defined in the second stage, SCREEN where only the depths of what hides are drawn, SLAB where a slab cuts spheres
// open, POINTS where spheres are points with a size instead of rectangles.
uniform vec2 target, middle;        // the size of the picture, and the pixel of the point that is looked at
uniform float scale, nearness;      // nearness: one over the distance of the eye, 0 if it is infinitely far
uniform vec2 planes, depths;        // z of the planes of the slab, and of the front and the back of the box
uniform float fog;                  // share of the paper in colours at the back
uniform float line;                 // width of outlines, pixels
uniform vec3 paper, faint;

const vec3 LIGHT = vec3(-0.36, 0.48, 0.8);          // from where it comes; of length 1
const float AMBIENT = 0.56, SHINE = 0.16, DARK = 0.3, CUT = 0.9, RIM = 0.8, CREVICE = 0.5;
const float SOFT = 0.55;                            // pixels that a soft edge adds
const float NEAR = 0.2, FAINTEST = 0.25;            // as of discs, see layers.py
const vec3 LIGHTNESS = vec3(0.299, 0.587, 0.114);

// Where the outline of a sphere begins and ends along one axis of the plane z = 0. depth: that of the centre from the eye, over
// the distance of the eye.
vec2 span(float across, float depth, float radius) {
    float small = radius * nearness, slope = across * nearness;
    float root = radius * sqrt(max(depth * depth + slope * slope - small * small, 0.0));
    return (across * depth + vec2(-root, root)) / max(depth * depth - small * small, 1e-9);
}

// What is the same in all of a sphere: pixels per length at it, the radius in pixels, and the width and the opacity of its
// outline.
vec4 look_of(float z, float radius) {
    float growth = scale / (1.0 - z * nearness), size = radius * growth;
    return vec4(growth, size, min(line, 0.35 * size), RIM * smoothstep(1.5, 4.0, size));
}

// The colour of the outline: dark, or one that shows on the paper if the colour of the sphere does not.
vec3 outline_of(vec3 ink) {
    bool alike = distance(ink, paper) < 2.0 * NEAR && abs(dot(ink - paper, LIGHTNESS)) < NEAR;
    return alike ? faint : DARK * ink;
}

// The depth of a point for the depth buffer, from -1 in front to 1 at the back. What sticks out of the box has some room.
float depth_at(float z) {
    return clamp(2.0 * (depths.x - z) / (depths.x - depths.y) - 1.0, -2.0, 2.0) * 0.5;
}

// Half the side, in pixels at z = 0, of a square at the depth of the centre that a sphere surely hides with what lies behind; 0
// where nothing is sure: a sphere is cut open by the slab, or so small that it is not opaque.
float screen_of(float z, float radius) {
    float reach = 0.7071 * (radius * scale - 0.5 * (1.0 - z * nearness)) - 0.02;
    return z < planes.x && z > planes.y && reach > 1.0 ? reach : 0.0;
}

#ifdef FRAGMENT
#define passed in
#else
#define passed out
#endif
flat passed vec2 body;              // z and radius
flat passed vec3 ink, outline;
flat passed vec4 look;
// At a pixel, the ray: its slopes against the line of sight, and where it meets the plane of the centre, less the centre.
#ifdef POINTS
flat passed vec4 begin, change;     // both in the middle of the point, and how they change over its side
#else
passed vec4 ray;
#endif

#ifdef FRAGMENT
// How far inside the section of a sphere with a plane a ray meets the plane, pixels; less than 0 outside. off: how far the plane
// is from the centre, towards the eye.
float inside_section(vec4 ray, float off) {
    float radius = body.y, section = sqrt(max(radius * radius - off * off, 1e-4 * radius * radius));
    return (radius - length(vec3(ray.zw - off * ray.xy, off))) * radius / section * look.x;
}

// What a sphere adds at a pixel: its colour, and how much it covers.
vec4 seen_along(vec4 ray) {
    vec2 slope = ray.xy, aside = ray.zw;
    float z = body.x, radius = body.y, shrinks = 1.0 / (1.0 + dot(slope, slope)), along = dot(aside, slope);
    float square = max(dot(aside, aside) - along * along * shrinks, 0.0);       // of the distance of the ray from the centre
    float within = look.y - sqrt(square) * look.x;                              // pixels from the outline
    float ahead = -along * shrinks - sqrt(max(radius * radius - square, 0.0) * shrinks);        // of the centre, along z
#ifdef SLAB
    float cut = 0.0, off = planes.x - z;
    if (abs(off) < radius) {        // the nearer plane cuts the sphere open
        float section = inside_section(ray, off);
        cut = clamp(section + 0.5, 0.0, 1.0);
        if (off < 0.0) within = min(within, section);
        ahead = max(ahead, -off);
    }
    if (z < planes.y) within = min(within, inside_section(ray, planes.y - z));
#endif
    vec3 normal = vec3(aside + ahead * slope, -ahead) * (1.0 / radius);
    float towards = dot(normal, LIGHT), gleam = max(2.0 * towards * normal.z - LIGHT.z, 0.0);
    gleam *= gleam;
    gleam *= gleam;
    gleam *= gleam;
    float turned = 1.0 - normal.z, open = 1.0 - CREVICE * turned * turned;     // less light comes to where it turns away
    vec3 color = ink * open * (AMBIENT + 1.12 * (1.0 - AMBIENT) * max(towards, 0.0)) + SHINE * gleam * gleam * gleam;
#ifdef SLAB
    color = mix(color, CUT * ink, cut);
#endif
    color = mix(color, outline, look.w * clamp(look.z + 0.5 - within, 0.0, 1.0));
    float back = clamp((depths.x - z + ahead) / (depths.x - depths.y), 0.0, 1.0);
    float cover = clamp(within + 0.5, 0.0, 1.0);
    return vec4(mix(color, paper, fog * back), cover * clamp(3.0 * look.y * look.y, FAINTEST, 1.0));
}

out vec4 pixel;

void main() {
#if defined SCREEN
    pixel = vec4(0.0);
#elif defined POINTS
    pixel = seen_along(begin + change * vec2(gl_PointCoord.x - 0.5, 0.5 - gl_PointCoord.y).xyxy);
#else
    pixel = seen_along(ray);
#endif
}
#else

vec4 position_of(vec2 place, float z) {
    return vec4((middle + place * scale) / target * 2.0 - 1.0, depth_at(z), 1.0);
}

// Draw a sphere, with its centre and its radius, in a colour. corner: of its rectangle, from -1 to 1.
void draw_sphere(vec4 sphere, vec3 color, vec2 corner) {
    float depth = 1.0 - sphere.z * nearness;
    vec2 x = span(sphere.x, depth, sphere.w), y = span(sphere.y, depth, sphere.w);      // a rectangle that the outline fits in
    vec2 place = 0.5 * vec2(x.x + x.y, y.x + y.y), half_sides = 0.5 * vec2(x.y - x.x, y.y - y.x) + SOFT / scale;
    body = sphere.zw;
    ink = color;
    outline = outline_of(color);
    look = look_of(sphere.z, sphere.w);
#ifdef POINTS
    float side = 2.0 * max(half_sides.x, half_sides.y);
    change = vec4(nearness, nearness, depth, depth) * side;
    gl_PointSize = side * scale;
    begin = vec4(place * nearness, place * depth - sphere.xy);
#else
    place += half_sides * corner;
    ray = vec4(place * nearness, place * depth - sphere.xy);
#endif
    gl_Position = position_of(place, sphere.z + sphere.w);
}

// Leave its depth where a sphere surely hides what lies behind.
void draw_screen(vec4 sphere, vec2 corner) {
    float half_side = screen_of(sphere.z, sphere.w), growth = 1.0 / (1.0 - sphere.z * nearness);
#ifdef POINTS
    gl_PointSize = 2.0 * half_side * growth;
    gl_Position = half_side > 0.0 ? position_of(sphere.xy * growth, sphere.z) : vec4(2.0, 2.0, 2.0, 1.0);
#else
    gl_Position = position_of((sphere.xy + corner * half_side / scale) * growth, sphere.z);
#endif
}
#endif
