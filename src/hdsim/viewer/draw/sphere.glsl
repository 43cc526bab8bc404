// How a sphere is drawn: the same text for windows (OpenGL 3.3) and pages (WebGL 2). Lengths are box lengths in eye
// coordinates, see space_view.py; a ray is told by the place where it meets the plane z = 0, which the picture shows at `scale`
// pixels per length.
// It is compiled with SLAB where a slab cuts spheres open, and without it elsewhere, which is quicker.
uniform float scale, nearness;      // nearness: one over the distance of the eye, 0 if it is infinitely far
uniform vec2 planes, depths;        // z of the planes of the slab, and of the front and the back of the box
uniform float fog;                  // share of the paper in colours at the back
uniform float line;                 // width of outlines, pixels
uniform vec3 paper, faint;

const vec3 LIGHT = vec3(-0.36, 0.48, 0.8);          // from where it comes; of length 1
const float AMBIENT = 0.56, SHINE = 0.16, DARK = 0.3, CUT = 0.9, RIM = 0.8;
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

// Half the side, in pixels at z = 0, of a square at the depth of the centre that is within a sphere, so that it surely hides
// what lies behind; 0 where nothing is sure: a sphere is cut open by the slab, or so small that it is not opaque.
float screen_of(float z, float radius) {
    float reach = 0.7 * (radius * scale - 1.0);
    return z < planes.x && z > planes.y && reach > 1.0 ? reach : 0.0;
}

// How far inside the section of a sphere with a plane a ray meets the plane, pixels; less than 0 outside. at: where it meets the
// plane, from the centre; off: how far the plane is from the centre.
float inside_section(vec3 at, float off, float radius, float growth) {
    float section = sqrt(max(radius * radius - off * off, 1e-4 * radius * radius));
    return (radius - length(at)) * radius / section * growth;
}

// What a sphere adds at a place: its colour, and how much it covers. aside: the place less (x, y) of the centre. look, outline:
// of the functions above.
vec4 sphere_at(vec2 place, vec2 aside, float z, float radius, vec3 ink, vec4 look, vec3 outline) {
    vec3 to = vec3(aside, -z), ahead = normalize(vec3(place * nearness, -1.0)), off = cross(to, ahead);
    float square = dot(off, off), within = look.y - sqrt(square) * look.x;      // pixels from the outline
    float begin = -dot(to, ahead) - sqrt(max(radius * radius - square, 0.0)), cut = 0.0;
#ifdef SLAB
    if (abs(planes.x - z) < radius) {           // the nearer plane cuts the sphere open
        float until = planes.x / ahead.z, section = inside_section(to + until * ahead, planes.x - z, radius, look.x);
        cut = clamp(section + 0.5, 0.0, 1.0);
        if (z > planes.x) within = min(within, section);
        begin = max(begin, until);
    }
    if (z < planes.y) within = min(within, inside_section(to + planes.y / ahead.z * ahead, planes.y - z, radius, look.x));
#endif
    float cover = clamp(within + 0.5, 0.0, 1.0);
    if (cover == 0.0) return vec4(0.0);
    vec3 normal = (to + begin * ahead) * (1.0 / radius);
    float towards = dot(normal, LIGHT), gleam = max(2.0 * towards * normal.z - LIGHT.z, 0.0);
    gleam *= gleam;
    gleam *= gleam;
    gleam *= gleam;
    vec3 color = ink * (AMBIENT + 1.12 * (1.0 - AMBIENT) * max(towards, 0.0)) + SHINE * gleam * gleam * gleam;
    color = mix(mix(color, CUT * ink, cut), outline, look.w * clamp(look.z + 0.5 - within, 0.0, 1.0));
    float back = clamp((depths.x - begin * ahead.z) / (depths.x - depths.y), 0.0, 1.0);
    return vec4(mix(color, paper, fog * back), cover * clamp(3.0 * look.y * look.y, FAINTEST, 1.0));
}
